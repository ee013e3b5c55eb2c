/** Set by `bin/build-pages.ts`, for the build of what the pages process serves. */
const isForPages = process.env.PAGES_ONLY === "true";

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // Node loads the driver itself: its patched copy (patches), and one pool for pages and the API.
  serverExternalPackages: ["postgres", "pino"],
  turbopack: {
    rules: {
      "*.mjs": {
        condition: { path: /react-aria[/\\]dist[/\\]private[/\\]intl[/\\](?!.*en-US)/u },
        loaders: ["./bin/english-only.cjs"],
        as: "*.mjs",
      },
    },
  },
  images: { unoptimized: true },
  // A folder's name cannot be a parameter and an ending.
  rewrites: async () => [
    { source: "/docs/:guide.md", destination: "/docs/text/:guide" },
    { source: "/llms.txt", destination: "/docs/llms.txt" },
  ],
  // The pages process serves none of the API's routes (`route.ts`), so its build leaves them out. What it does serve is `.tsx`,
  // but for `instrumentation-client.ts`, which Turbopack finds by that name only.
  // A build by Next.js alone takes both.
  pageExtensions: isForPages ? ["tsx"] : ["tsx", "ts"],
  experimental: {
    preloadEntriesOnStart: false,
    // Most machines build once, and writing the cache takes a quarter of that.
    turbopackFileSystemCacheForBuild: false,
  },
  // A build gathers what pages load, packages included, for a release.
  output: isForPages ? "standalone" : undefined,
  // Titles come with the head for every browser, not after it: they name the record, and must be there without JavaScript.
  htmlLimitedBots: /.*/u,
  // `npm run check` type-checks the whole project, tests and scripts included.
  typescript: { ignoreBuildErrors: true },
};

export default config;
