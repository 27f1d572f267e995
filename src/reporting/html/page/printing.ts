/**
 * What is to be printed is opened for the printer, and closed afterwards: the content of a closed element is on no paper,
 * whatever the style sheet says.
 */
export function startPrinting(): void {
  let opened: HTMLDetailsElement[] = []
  addEventListener('beforeprint', () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>('details[data-print]:not([open])')]
    for (const one of opened) one.open = true
  })
  addEventListener('afterprint', () => {
    for (const one of opened) one.open = false
    opened = []
  })
}
