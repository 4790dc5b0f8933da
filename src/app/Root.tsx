import { Suspense, useEffect } from 'react'
import { type Location, Outlet, ScrollRestoration, useNavigation } from 'react-router'
import styles from './Root.module.css'

/** Around every page: the progress bar of a slow navigation, and the Suspense boundary for texts. */
export function Root() {
  return (
    <>
      <Progress />
      <ScrollRestoration getKey={scrollKey} />
      <Suspense fallback={<FirstLoad />}>
        <Outlet />
      </Suspense>
    </>
  )
}

/**
 * What a scroll position is kept under. The first entry of each loaded page has the same key, whatever its address:
 * only a reload goes back to where it was, and no other page in the same tab.
 */
const scrollKey = ({ key, pathname, search }: Location): string => (key === 'default' ? pathname + search : key)

function Progress() {
  const busy = useNavigation().state !== 'idle'
  return <div className={styles.progress} data-busy={busy || undefined} aria-hidden="true" />
}

/** Before anything is loaded: just the page's background, to avoid flashing. */
export function FirstLoad() {
  useEffect(() => {
    document.title ||= 'Parley'
  }, [])
  return <div className={styles.first} aria-busy="true" />
}
