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
  // Next.js would also preload the API's routes, which the pages process never serves: two thirds of its start.
  experimental: { preloadEntriesOnStart: false },
  // "standalone" in bin/build-pages.ts: a build gathers what pages load, packages included, for a release. A server needs none.
  output: process.env.NEXT_OUTPUT,
  // Titles come with the head for every browser, not after it: they name the record, and must be there without JavaScript.
  htmlLimitedBots: /.*/u,
  // `npm run check` type-checks the whole project, tests and scripts included.
  typescript: { ignoreBuildErrors: true },
};

export default config;
