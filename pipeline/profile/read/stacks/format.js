/**
 * What the folder of a format provides: its `reader.js` is a `Format`.
 *
 * @typedef {object} Format the exports of a `reader.js`
 * @property {string} FORMAT its name in `run.toml` and in profiles; its folder has `_` for `-`
 * @property {Recognise} recognise
 * @property {new (event?: string, labels?: string[]) => CaptureReader} Reader takes the event that
 *   the capture does not state, and the keys of labels that become frames
 * @property {boolean} [DETECTS_TRUNCATION] whether its reader itself notices a capture that
 *   ends too early; for the others, the last line has to end
 *
 * @typedef {object} Folded what a reader made of a capture
 * @property {FoldedEvent[]} events
 * @property {number} [lost] samples that the recorder says it lost
 * @property {boolean} [partial] whether the capture says that it is incomplete
 * @property {boolean} [cutOff] whether the last line has no end and is incomplete
 * @property {string} [sharesOnly] why weights give shares, but not what an operation or a second
 *   costs, where that is so
 * @property {{ found: string, do: string }} [refusal] what the file is, where it has no samples at all
 * @property {import("../../model/profile.js").Skipped[]} skipped
 * @property {import("../../model/profile.js").Label[]} [labels] of samples
 *
 * @typedef {object} FoldedEvent
 * @property {string} event
 * @property {string} [unit] of a weight of 1, where the capture states it; else that of the event
 *   (units.js)
 * @property {import("../../model/profile_builder.js").ProfileBuilder} builder
 * @property {number | null} samples
 * @property {boolean} samplesByNode
 * @property {string} [doubt] why the weights cannot count what `run.toml` says; then they are read as
 *   samples
 *
 * @typedef {object} CaptureReader
 * @property {(chunk: Uint8Array) => void} push
 * @property {(partial: boolean, isOpen?: boolean) => Folded} finish takes whether the text ends too
 *   early, and whether its last line has no end: it may be whole, as editors leave it, or be cut off
 *
 * @typedef {object} Head the beginning of a capture, decompressed
 * @property {Buffer} bytes
 * @property {string[]} lines its whole lines, without their ends
 *
 * @callback Recognise
 * @param {Head} head
 * @returns {"yes" | "no" | "more"}
 */

export {};
