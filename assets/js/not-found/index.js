// `<near-addresses>`: on the page for addresses that do not exist, the nearest that do.

import { htmlElement } from "@perfpress/flamegraph/viewer/elements.js";
import { fetchJson } from "../fetch-json.js";
import { pagesIn } from "../search/matches.js";
import { resultItem } from "../search/result.js";
import { nearPages } from "./near.js";

class NearAddressesElement extends HTMLElement {
  connectedCallback() {
    this.setAttribute("role", "status");
    void this.propose();
  }

  async propose() {
    const { index = "", root = "/", pages = "[]" } = this.dataset;
    const address = location.pathname.startsWith(root)
      ? location.pathname.slice(root.length)
      : location.pathname.slice(1);
    const near = nearPages([...JSON.parse(pages), ...(await measuredPages(index))], address);
    if (near.length === 0) return;
    const title = near.length > 1 ? "The nearest addresses" : "The nearest address";
    const items = near.map(({ label, url }) => resultItem(label, `${root}${url}`, `/${url}`));
    this.replaceChildren(
      htmlElement("h2", {}, title),
      htmlElement("ol", { class: "search-results" }, ...items),
    );
  }
}

/**
 * @param {string} address of the index of the search
 * @returns {Promise<import("./near.js").Page[]>} none where it cannot be loaded: the other links remain
 */
async function measuredPages(address) {
  try {
    return [...pagesIn(await fetchJson(address))];
  } catch {
    return [];
  }
}

customElements.define("near-addresses", NearAddressesElement);
