/**
 * The whole of which a page's data is an excerpt: fetched once, when the reader first asks for what the
 * excerpt left out; where that fails, again when they next ask.
 */

/** @typedef {import("../regrow.js").Columns} Columns */

export class Whole {
  /**
   * @param {(() => Promise<Columns>) | null} load null where the data is all there is
   * @param {(data: Columns) => void} arrived
   * @param {(failed: boolean) => void} ended
   */
  constructor(load, arrived, ended) {
    this.load = load;
    this.arrived = arrived;
    this.ended = ended;
    this.failed = false;
    /** @type {Promise<void> | null} */
    this.loading = null;
  }

  /** @returns {Promise<void>} that ends when it is there, or is known not to come */
  async ask() {
    if (!this.load) return;
    this.loading ??= this.fetch(this.load);
    await this.loading;
  }

  /** @param {() => Promise<Columns>} load */
  async fetch(load) {
    const data = await load().catch(() => null);
    this.failed = data === null;
    this.loading = null;
    if (data) {
      this.load = null;
      this.arrived(data);
    }
    this.ended(this.failed);
  }
}
