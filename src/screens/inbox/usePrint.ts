import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type RefObject, useCallback, useEffect, useState } from 'react'
import type { ThreadPage } from '../../../server/contracts/inbox'

/** ms that pictures are waited for */
const PICTURES = 5_000

type Thread = Pick<
  UseInfiniteQueryResult<InfiniteData<ThreadPage>>,
  'data' | 'error' | 'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
>

/**
 * Prints a conversation whole, by the button or by the browser's key: what is not on the screen yet is read first. The
 * styles of paper are in `print.css`.
 */
export function usePrint(thread: Thread, log: RefObject<HTMLElement | null>) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = thread
  const [isPreparing, setPreparing] = useState(false)
  const print = useCallback(() => setPreparing(true), [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'p') return
      event.preventDefault()
      setPreparing(true)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
  // a page that could not be read is said above the thread, which is then printed by nobody as if it were whole
  const isStuck = isFetchNextPageError && !isFetchingNextPage
  useEffect(() => {
    if (!isPreparing || isFetchingNextPage) return
    if (isStuck) return setPreparing(false)
    if (hasNextPage) {
      void fetchNextPage()
      return
    }
    let isCurrent = true
    void loadPictures(log.current).then(() => {
      if (!isCurrent) return
      setPreparing(false)
      window.print()
    })
    return () => {
      isCurrent = false
    }
  }, [isPreparing, isStuck, hasNextPage, isFetchingNextPage, fetchNextPage, log])
  return { print, isPreparing, isStuck }
}

/** Those that the browser has put off until they are scrolled to. */
async function loadPictures(within: HTMLElement | null): Promise<void> {
  const pictures = [...(within?.querySelectorAll('img') ?? [])]
  const loaded = pictures.map((picture) => {
    picture.loading = 'eager'
    return picture.decode()
  })
  let timer: number | undefined
  const late = new Promise((resolve) => {
    timer = window.setTimeout(resolve, PICTURES)
  })
  await Promise.race([Promise.allSettled(loaded), late])
  window.clearTimeout(timer)
}
