// `<near-addresses>`: on the page for addresses that do not exist, the nearest that do.

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
    const title = document.createElement("h2");
    title.textContent = near.length > 1 ? "The nearest addresses" : "The nearest address";
    const list = document.createElement("ol");
    list.className = "search-results";
    for (const { label, url } of near) list.append(resultItem(label, `${root}${url}`, `/${url}`));
    this.replaceChildren(title, list);
  }
}

/**
 * @param {string} address of the index of the search
 * @returns {Promise<import("./near.js").Page[]>} none where it cannot be loaded: the other links remain
 */
async function measuredPages(address) {
  try {
    const response = await fetch(address);
    return response.ok ? [...pagesIn(await response.json())] : [];
  } catch {
    return [];
  }
}

customElements.define("near-addresses", NearAddressesElement);
