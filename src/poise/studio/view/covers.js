// What lies over the picture, which words keep clear of.

/**
 * Where elements are, in pixels of another; those that are not seen are nowhere.
 * @param {Iterable<Element>} elements @param {Element} within
 * @returns {{left: number, top: number, width: number, height: number}[]}
 */
export function boxesOf(elements, within) {
  const frame = within.getBoundingClientRect();
  return [...elements]
    .map((element) => element.getBoundingClientRect())
    .filter(({ width }) => width > 0)
    .map(({ left, top, width, height }) => ({ left: left - frame.left, top: top - frame.top, width, height }));
}
