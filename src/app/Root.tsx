import { Suspense, useEffect } from 'react'
import { Outlet, ScrollRestoration, useNavigation } from 'react-router'
import styles from './Root.module.css'

/** Around every page: the progress bar of a slow navigation, and the Suspense boundary for texts. */
export function Root() {
  return (
    <>
      <Progress />
      <ScrollRestoration />
      <Suspense fallback={<FirstLoad />}>
        <Outlet />
      </Suspense>
    </>
  )
}

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
