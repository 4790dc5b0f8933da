import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { threadQuery } from '../api/comments'
import { failureText } from '../api/failure'
import { notify } from '../ui/notify'
import { PinLayer } from './PinLayer'
import { PlacingMode } from './PlacingMode'
import { ThreadCard } from './ThreadCard'
import { useCommentActions } from './useCommentActions'
import { useComments } from './useComments'
import { useShowThread } from './useShowThread'

/** Everything of comments over the canvas: pins, the open thread, the placing mode. */
export function CommentLayer() {
  useCommentActions()
  useThreadOfAddress()
  return (
    <>
      <PinLayer />
      <PlacingMode />
      <ThreadCard />
    </>
  )
}

/** Opens the thread in `?thread=`, as in links of mails; once, so that a reload does not open it again. */
function useThreadOfAddress(): void {
  const { t } = useTranslation('comments')
  const { flow } = useComments()
  const queries = useQueryClient()
  const show = useShowThread()
  const [search, setSearch] = useSearchParams()
  const asked = search.get('thread')
  useEffect(() => {
    if (asked === null) return
    let wanted = true
    const without = (before: URLSearchParams) => {
      const next = new URLSearchParams(before)
      next.delete('thread')
      return next
    }
    queries
      .fetchQuery(threadQuery(flow, asked))
      .then(
        // after the canvas has set its view
        ({ thread }) => wanted && requestAnimationFrame(() => show(thread)),
        (error) => wanted && notify.error(failureText(error, t('loadFailed'))),
      )
      .finally(() => wanted && setSearch(without, { replace: true }))
    return () => {
      wanted = false
    }
  }, [asked, flow, queries, show, setSearch, t])
}
