import { say } from './say.ts'

/** Every button with `data-copy` copies that text. */
export function startCopying(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null
    if (button) void copy(button, button.dataset.copy ?? '')
  })
}

async function copy(button: HTMLElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    button.classList.add('copied')
    button.addEventListener('blur', () => button.classList.remove('copied'), { once: true })
    say('Copied')
  } catch {
    // The browser may deny pages on disk the clipboard: then leave the text selected.
    const code = button.parentElement?.querySelector('pre')
    if (code) getSelection()?.selectAllChildren(code)
    say('Selected: copy it with the keyboard')
  }
}
