// What the theme leaves out for people who use a keyboard or a screen reader.

// Whatever scrolls can be scrolled with the keyboard.
function reachable() {
  for (const place of document.querySelectorAll('pre > code, .md-typeset__scrollwrap, .md-typeset__table, .tabbed-labels')) {
    if (place.scrollWidth > place.clientWidth) place.setAttribute('tabindex', '0');
  }
}

// Two landmarks of one kind have two names: the drawer of a phone has navigations inside of each other.
function named() {
  const seen = new Map();
  for (const nav of document.querySelectorAll('nav[aria-label], nav[aria-labelledby]')) {
    const label = nav.getAttribute('aria-label') ?? document.getElementById(nav.getAttribute('aria-labelledby'))?.textContent.trim();
    const times = (seen.get(label) ?? 0) + 1;
    seen.set(label, times);
    if (times > 1) {
      nav.removeAttribute('aria-labelledby');
      nav.setAttribute('aria-label', `${label}, ${times}`);
    }
  }
}

named();
reachable();
addEventListener('resize', reachable);
