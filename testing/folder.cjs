// This folder. Playwright turns the modules of a suite into CommonJS, which has no import.meta; this works in both.
module.exports = __dirname;
