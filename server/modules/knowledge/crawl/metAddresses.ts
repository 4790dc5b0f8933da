/** Addresses that the frontier has been asked to take, so that a menu's are looked up once and not for each page. */
export interface MetAddresses {
  /** Those that were not met before, each once. They count as met once `keep` is called. */
  unmet(urls: readonly string[]): string[]
  /** Call it when what became of them is stored: the frontier refuses nothing that it would take later. */
  keep(): void
  /** Forgets what was not kept. */
  drop(): void
}

/** A page with endless new links makes this begin anew, and costs what it did before. */
const MOST = 50_000

export function createMetAddresses(): MetAddresses {
  const met = new Set<string>()
  const pending = new Set<string>()
  return {
    unmet(urls) {
      return urls.filter((url) => {
        if (met.has(url) || pending.has(url)) return false
        pending.add(url)
        return true
      })
    },
    keep() {
      if (met.size + pending.size > MOST) met.clear()
      for (const url of pending) met.add(url)
      pending.clear()
    },
    drop() {
      pending.clear()
    },
  }
}
