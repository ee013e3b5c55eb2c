import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { controlDatabase } from "./rig.ts";
import type { Rig } from "./rig.ts";

const BALLAST = "ballast";

/** Whether this process may mount a disk: root may, except in a container without the right to. */
export function canMount(): boolean {
  const place = mkdtempSync(path.join(tmpdir(), "floatdeck-mount-"));
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "none", place]).status === 0;
  if (isMounted) {
    execFileSync("umount", [place]);
  }
  rmSync(place, { recursive: true });
  return isMounted;
}

/** A disk for one directory of a database's files, which a test can fill. It is in memory. */
export class SmallDisk {
  private readonly place: string;

  private constructor(place: string) {
    this.place = place;
  }

  /**
   * Moves a directory of a running database to a disk of its own; the database restarts for that.
   * @param spareMib what the disk has room for besides what is there.
   */
  static move(rig: Pick<Rig, "home">, directory: string, spareMib: number): SmallDisk {
    const { data, user } = rig.home;
    const [place, copy] = [path.join(data, directory), `${data}-${directory}`];
    controlDatabase(rig, "stop", "-m", "fast");
    execFileSync("mv", [place, copy]);
    mkdirSync(place);
    const used = Number(execFileSync("du", ["-sm", copy], { encoding: "utf8" }).split("\t")[0]);
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${used + spareMib}m`, "none", place]);
    execFileSync("cp", ["-a", `${copy}/.`, place]);
    rmSync(copy, { recursive: true });
    if (user) {
      execFileSync("chown", [`${user.uid}:${user.gid}`, place]);
    }
    execFileSync("chmod", ["700", place]);
    controlDatabase(rig, "restart");
    return new SmallDisk(place);
  }

  /** Leaves no byte of it free. */
  fill(): void {
    spawnSync("dd", ["if=/dev/zero", `of=${path.join(this.place, BALLAST)}`, "bs=16k"]);
  }

  /** Makes room again. */
  free(): void {
    rmSync(path.join(this.place, BALLAST), { force: true });
  }

  /** The database must be down. */
  unmount(): void {
    execFileSync("umount", [this.place]);
  }
}
