import { Suspense, useEffect } from 'react'
import { Outlet, ScrollRestoration, useNavigation } from 'react-router'
import styles from './Root.module.css'

/** Around every page: the line that shows a slow navigation, and the place where screens suspend for their texts. */
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

/** Before anything is known: the page's own background, and nothing that would flash. */
export function FirstLoad() {
  useEffect(() => {
    document.title ||= 'Parley'
  }, [])
  return <div className={styles.first} aria-busy="true" />
}
