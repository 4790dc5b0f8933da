/** Calls back when the page's address has changed without a load. @returns what ends it */
export function watchAddress(onChange: () => void): () => void {
  let last = location.href
  const look = () => {
    if (location.href === last) return
    last = location.href
    onChange()
  }
  const { navigation } = window as { navigation?: EventTarget }
  const sources: [EventTarget, string][] = navigation
    ? [[navigation, 'currententrychange']]
    : [
        [window, 'popstate'],
        [window, 'hashchange'],
      ]
  for (let n = 0; n < sources.length; n++) sources[n]?.[0].addEventListener(sources[n]?.[1] ?? '', look)
  // browsers without `navigation` tell of no pushState
  const timer = navigation ? undefined : setInterval(look, 500)
  return () => {
    for (let n = 0; n < sources.length; n++) sources[n]?.[0].removeEventListener(sources[n]?.[1] ?? '', look)
    clearInterval(timer)
  }
}

/** Tells whether one of some elements of the page is on the screen, now and later. @returns what ends it */
export function watchElements(className: string, id: string, onChange: (seen: boolean) => void): () => void {
  const name = className.replace(/^\./, '')
  const idName = id.replace(/^#/, '')
  if (!name && !idName) return () => {}
  const selector = `${name ? `.${CSS.escape(name)}` : ''}${name && idName ? ',' : ''}${idName ? `#${CSS.escape(idName)}` : ''}`
  const seen = new Set<Element>()
  const watched = new Set<Element>()
  const sight = new IntersectionObserver((entries) => {
    for (let n = 0; n < entries.length; n++) {
      const entry = entries[n] as IntersectionObserverEntry
      if (entry.isIntersecting) seen.add(entry.target)
      else seen.delete(entry.target)
    }
    onChange(seen.size > 0)
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    timer = undefined
    const found = document.querySelectorAll(selector)
    for (let n = 0; n < found.length; n++) {
      const element = found[n] as Element
      if (!watched.has(element)) sight.observe(element)
      watched.add(element)
    }
  }
  const changes = new MutationObserver(() => {
    timer ??= setTimeout(look, 200)
  })
  look()
  changes.observe(document.documentElement, { childList: true, subtree: true })
  return () => {
    clearTimeout(timer)
    sight.disconnect()
    changes.disconnect()
  }
}
