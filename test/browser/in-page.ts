/** What is asked inside a page: plain JavaScript, for it runs there and not here. */

/** Texts that touch another text, or a node, or leave the picture. */
export const collisions = `(() => {
  const touch = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return [...document.querySelectorAll('svg')].flatMap((svg) => {
    const frame = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll('text')].map((text) => ({
      words: text.textContent,
      box: text.getBoundingClientRect(),
    }));
    const shapes = [...svg.querySelectorAll('.node .shape')].map((shape) => ({
      words: 'a node',
      box: shape.getBoundingClientRect(),
    }));
    return boxes.flatMap(({ words, box }, index) => [
      ...(box.right > frame.right + 1 || box.left < frame.left - 1 ? [words + ' leaves the picture'] : []),
      ...[...boxes.slice(index + 1), ...shapes]
        .filter((other) => touch(box, other.box))
        .map((other) => words + ' touches ' + other.words),
    ]);
  });
})()`;

/** The lowest contrast of any text with the darker or lighter of the two papers, as WCAG counts it. */
export const lowestContrast = `(() => {
  const luminance = (color) => {
    const [red, green, blue] = (color.match(/\\d+(\\.\\d+)?/g) ?? []).slice(0, 3).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = luminance(getComputedStyle(document.querySelector('.stripe')).fill);
  return Math.min(...[...document.querySelectorAll('.olm-graph text')].map((text) => {
    const ink = luminance(getComputedStyle(text).fill);
    return (Math.max(ink, behind) + 0.05) / (Math.min(ink, behind) + 0.05);
  }));
})()`;
