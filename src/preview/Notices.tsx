import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { Button } from '../ui/Button'
import type { Debugger } from './debugger'
import css from './PreviewPane.module.css'
import type { PreviewPaneProps } from './previewPaneProps'
import { RunValues } from './RunValues'

type NoticesProps = Pick<PreviewPaneProps, 'nameOf' | 'variablesOf' | 'onShow'> & { bug: Debugger }

/** Notices about this test: a custom start, a pause, looking back, a failure. */
export function Notices({ bug, nameOf, variablesOf, onShow }: NoticesProps) {
  const { t } = useTranslation('preview')
  const from = useStore(bug.store, (state) => state.from)
  const paused = useStore(bug.store, ({ debug }) => debug?.paused ?? null)
  const failure = useStore(bug.store, (state) => state.failure)
  const lookingAt = useStore(bug.store, (state) => state.lookingAt)
  const turns = useStore(bug.store, ({ debug }) => debug?.turns.length ?? 0)
  const [setting, setSetting] = useState(false)
  const variables = from && variablesOf(from.flowId)
  const place = (where: { flowId: string | null; blockId: string }) => {
    const names = nameOf(where)
    if (!names) return t('gone')
    return names.title === '' ? names.group : `${names.group} › ${names.title}`
  }
  return (
    <>
      {from && (
        <p className={css.stale}>
          <span>{t('from.text', { place: place({ blockId: '', ...from }) })}</span>
          {variables && variables.length > 0 && (
            <Button size="s" design="bordered" aria-expanded={setting} onClick={() => setSetting(!setting)}>
              {t('from.values')}
            </Button>
          )}
          <Button size="s" design="bordered" onClick={() => bug.runFrom(null)}>
            {t('from.leave')}
          </Button>
        </p>
      )}
      {from && variables && setting && (
        <RunValues bug={bug} flowId={from.flowId} variables={variables} onDone={() => setSetting(false)} />
      )}
      {paused && (
        <p className={css.paused} role="status">
          <span>{t('paused', { place: place(paused) })}</span>
          <Button size="s" design="bordered" onClick={() => onShow(paused)}>
            {t('showStop')}
          </Button>
        </p>
      )}
      {lookingAt !== null && (
        <p className={css.elsewhere} role="status">
          <span>{t('past.looking', { turn: lookingAt + 1, count: turns })}</span>
          <Button size="s" design="bordered" onClick={() => void bug.look(null)}>
            {t('past.leave')}
          </Button>
        </p>
      )}
      {failure && (
        <p className={css.stopped} role="alert">
          <span>{failure}</span>
        </p>
      )}
    </>
  )
}
