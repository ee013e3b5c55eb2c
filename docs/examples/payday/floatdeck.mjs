import { Floatdeck } from "floatdeck";

export const floatdeck = new Floatdeck({ apiKey: process.env.API_KEY ?? "" });
