/** Replaces numbers that differ between seeds, such as those of steps, reports and blocks, but not statuses of responses. */
export function withoutCounts(text: string): string {
  return text
    .replaceAll(/\b(report|step|block|request) [\d/]+/g, '$1 <n>')
    .replaceAll(/\d+/g, (digits) => (/^(?:20[02]|4\d\d|50\d)$/.test(digits) ? digits : '<n>'))
}
