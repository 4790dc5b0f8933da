import { useEffect, useMemo, useState } from 'react'
import type { Palette } from './overviewDrawing'

/** The theme's colours for canvas drawing; a new object when the colour scheme changes. */
export function usePalette(): Palette {
  const [scheme, setScheme] = useState(schemeNow)
  useEffect(() => {
    const observer = new MutationObserver(() => setScheme(schemeNow()))
    observer.observe(document.documentElement, { attributes: true, attributeFilter: [SCHEME] })
    return () => observer.disconnect()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme is what the values depend on
  return useMemo(() => {
    const values = new Map<string, string>()
    const style = getComputedStyle(document.documentElement)
    return (token) => {
      const value = values.get(token) ?? style.getPropertyValue(token).trim()
      values.set(token, value)
      return value
    }
  }, [scheme])
}

const SCHEME = 'data-mantine-color-scheme'
const schemeNow = () => document.documentElement.getAttribute(SCHEME)
