// What the theme leaves out for people who use a keyboard or a screen reader.

// Whatever may scroll can be scrolled with the keyboard.
function reachable() {
  for (const place of document.querySelectorAll('pre > code:not([tabindex]), .md-typeset__scrollwrap:not([tabindex])')) {
    place.setAttribute('tabindex', '0');
  }
}

// Two landmarks of one kind have two names.
function named() {
  const seen = new Map();
  for (const nav of document.querySelectorAll('nav')) {
    const told = nav.dataset.told ?? nav.getAttribute('aria-label');
    const label = told ?? document.getElementById(nav.getAttribute('aria-labelledby'))?.textContent.trim() ?? '';
    nav.dataset.told = label;
    const times = (seen.get(label.toLowerCase()) ?? 0) + 1;
    seen.set(label.toLowerCase(), times);
    nav.removeAttribute('aria-labelledby');
    const name = times > 1 || label === '' ? `${label || 'Section'} (${times})` : label;
    if (nav.getAttribute('aria-label') !== name) nav.setAttribute('aria-label', name);
  }
}

// A corner of a table without words is no heading.
function cornered() {
  for (const head of document.querySelectorAll('th')) {
    if (head.textContent.trim() !== '') continue;
    const cell = document.createElement('td');
    head.replaceWith(cell);
  }
}

function mend() {
  reachable();
  cornered();
  named();
}

mend();
// The theme adds buttons to code after this.
new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
