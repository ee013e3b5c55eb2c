import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import manifest from "#package.json" with { type: "json" };
import { readReleaseName, RELEASE_FILE } from "./release-name.ts";

const folder = mkdtempSync(path.join(tmpdir(), "floatdeck-name-"));

afterAll(() => rmSync(folder, { recursive: true }));

function git(...words: string[]): string {
  return execFileSync("git", ["-C", folder, ...words], {
    encoding: "utf8",
    env: { ...process.env, GIT_COMMITTER_DATE: "2026-11-28T23:30:00-02:00" },
  }).trim();
}

test("a checkout is named by its version, and the day and commit that git knows; a release by its file", () => {
  expect(readReleaseName(folder)).toBe(manifest.version);
  git("init", "--quiet");
  expect(readReleaseName(folder)).toBe(manifest.version);
  const who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
  git(...who, "commit", "--quiet", "--allow-empty", "--message=First");
  const name = `${manifest.version}+20261129.${git("rev-parse", "--short", "HEAD")}`;
  expect(readReleaseName(folder)).toBe(name);
  const unpacked = path.join(folder, "unpacked");
  mkdirSync(unpacked);
  expect(readReleaseName(unpacked)).toBe(manifest.version);
  writeFileSync(path.join(unpacked, RELEASE_FILE), `${name}\n`);
  expect(readReleaseName(unpacked)).toBe(name);
});

test("a checkout without git is named by its version", () => {
  const { PATH } = process.env;
  process.env["PATH"] = folder;
  expect(readReleaseName(folder)).toBe(manifest.version);
  process.env["PATH"] = PATH;
});
