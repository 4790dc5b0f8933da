import { History } from 'lucide-react'
import { useCallback, useMemo, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { FlowDocument } from '../../../../engine/document/flowDocument'
import type { UndoHistory, UndoStep } from '../../../../engine/document/history'
import { useEditor } from '../../../canvas/context'
import { EmptyState } from '../../../ui/EmptyState'
import { useStepName } from '../stepName'
import styles from './HistoryPanel.module.css'
import { PanelHeader } from './PanelHeader'

/** The user's edits since the flow was opened, newest first: a click undoes or redoes up to it. */
export function HistoryPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('builder')
  const { document, undo, redo, readOnly } = useEditor()
  const { done, undone } = useUndoHistory(document)
  const goTo = (place: number) => {
    for (let back = done.length - place; back > 0; back--) undo()
    for (let forth = place - done.length; forth > 0; forth--) redo()
  }
  const steps = [...done, ...undone]
  return (
    <>
      <PanelHeader title={t('panels.history')} close={t('history.close')} onClose={onClose} />
      <div className={styles.body}>
        {steps.length === 0 ? (
          <EmptyState
            icon={<History size={20} />}
            title={t('history.none')}
            message={t(readOnly ? 'history.readOnly' : 'history.noneHint')}
          />
        ) : (
          <ol className={styles.list} aria-label={t('panels.history')}>
            {steps
              .map((step, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a step is what its place in the history makes it
                <Step key={index} step={step} place={index + 1} now={done.length} onGo={goTo} />
              ))
              .reverse()}
            <li>
              <button
                type="button"
                className={styles.step}
                aria-current={done.length === 0 ? 'step' : undefined}
                onClick={() => goTo(0)}
              >
                <span className={styles.name}>{t('history.opened')}</span>
              </button>
            </li>
          </ol>
        )}
      </div>
    </>
  )
}

interface StepProps {
  step: UndoStep
  /** number of steps that are done at this point */
  place: number
  now: number
  onGo: (place: number) => void
}

function Step({ step, place, now, onGo }: StepProps) {
  const { t, i18n } = useTranslation('builder')
  const name = useStepName()(step)
  const gone = place > now
  return (
    <li>
      <button
        type="button"
        className={styles.step}
        data-undone={gone || undefined}
        aria-current={place === now ? 'step' : undefined}
        aria-label={gone ? t('history.undone', { step: name }) : undefined}
        onClick={() => onGo(place)}
      >
        <span className={styles.name}>{name}</span>
        {step.at !== undefined && (
          <time className={styles.time} dateTime={new Date(step.at).toISOString()}>
            {new Intl.DateTimeFormat(i18n.language, { timeStyle: 'short' }).format(step.at)}
          </time>
        )}
      </button>
    </li>
  )
}

/** Follows the undo and redo stacks. */
function useUndoHistory(document: FlowDocument): UndoHistory {
  const last = useRef<UndoHistory>(null)
  const subscribe = useCallback(
    (listener: () => void) => {
      const changed = () => {
        last.current = null
        listener()
      }
      return document.undo.subscribe(changed)
    },
    [document],
  )
  const read = useMemo(
    () => () => {
      last.current ??= document.history()
      return last.current
    },
    [document],
  )
  return useSyncExternalStore(subscribe, read)
}
