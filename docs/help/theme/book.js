"use strict";

// What mdBook's search (searcher.js) expects of a page, in place of mdBook's own script.

// All pages are in one folder.
const path_to_root = "";

/** Returns true if a key belongs to a field. */
function mdbook_something_else_has_focus(event) {
  return /^(?:input|select|textarea)$/i.test(event.target.nodeName);
}

const here = location.pathname.replace(/\/$/, "/index.html");
for (const link of document.querySelectorAll(".pages a")) {
  if (link.pathname === here) {
    link.setAttribute("aria-current", "page");
  }
}
