import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../ui/notify'
import type { CanvasStore, Notice } from './canvasStore'
import { useEditor } from './context'

/** Shows a message about a result, from code without access to texts. */
export function tell(store: CanvasStore, tone: Notice['tone'], key: string, values: Notice['values'] = {}): void {
  store.setState({ notice: { tone, key, values } })
}

/** Displays messages of `tell`. */
export function useNotices(): void {
  const { store } = useEditor()
  const { t } = useTranslation('builder')
  useEffect(
    () =>
      store.subscribe(({ notice }, before) => {
        if (notice && notice !== before.notice) notify[notice.tone](t(`notices.${notice.key}`, notice.values))
      }),
    [store, t],
  )
}
