const KEY = 'plumbline-theme'

/** Light or dark: as the system has it, until somebody chooses. */
export function startTheme(): void {
  const { dataset } = document.documentElement
  const chosen = stored()
  if (chosen !== null) dataset.theme = chosen
  document.querySelector('[data-theme-switch]')?.addEventListener('click', () => {
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
    const next = (dataset.theme ?? system) === 'dark' ? 'light' : 'dark'
    dataset.theme = next
    store(next)
  })
}

// A page on disk may be refused storage; then the choice lasts as long as the page.
function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

function store(theme: string): void {
  try {
    localStorage.setItem(KEY, theme)
  } catch {}
}
