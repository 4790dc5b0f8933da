const LINKS = 'a[href^="/"]:not([download])'
/** How long after a change of the page new links are looked for: a list that grows changes it many times. */
const PAUSE = 1_000

/**
 * Calls back for each link of the page that comes in view, once, one after the other and only while the page is idle:
 * nobody has asked for what is done then. Begins when the page itself is loaded.
 * @param onLink the next one waits for what it promises
 * @returns a function that ends it
 */
export function watchLinksInView(onLink: (link: Element) => Promise<void>): () => void {
  const waiting = new Set<Element>()
  const known = new WeakSet<Element>()
  const end = new AbortController()
  let working = false
  const work = async () => {
    if (working) return
    working = true
    for (const link of waiting) {
      await idle()
      waiting.delete(link)
      if (end.signal.aborted) break
      if (link.isConnected) await onLink(link)
    }
    working = false
  }
  const inView = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue
      inView.unobserve(target)
      waiting.add(target)
    }
    void work()
  })
  const look = () => {
    for (const link of document.querySelectorAll(LINKS)) {
      if (known.has(link)) continue
      known.add(link)
      inView.observe(link)
    }
  }
  let timer: number | null = null
  const soon = () => {
    timer ??= window.setTimeout(() => {
      timer = null
      look()
    }, PAUSE)
  }
  const changes = new MutationObserver(soon)
  const begin = () => {
    changes.observe(document.body, { childList: true, subtree: true })
    soon()
  }
  if (document.readyState === 'complete') begin()
  else window.addEventListener('load', begin, { once: true, signal: end.signal })
  return () => {
    end.abort()
    changes.disconnect()
    inView.disconnect()
    if (timer !== null) window.clearTimeout(timer)
  }
}

/** Resolves when the browser has nothing else to do; where it does not say so, soon. */
const idle = (): Promise<unknown> =>
  new Promise((done) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(done)
    else setTimeout(done, PAUSE)
  })
