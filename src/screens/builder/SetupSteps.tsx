import { ChevronDown, ListChecks } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChatbotChanges } from '../../api/chatbots'
import { failureText } from '../../api/failure'
import { useEditor } from '../../canvas/context'
import { notify } from '../../ui/notify'
import { useBuilder } from './builderContext'
import styles from './SetupSteps.module.css'

/** The remaining steps of the chatbot's template; shown until all are done. */
export function SetupSteps() {
  const { pgid, chatbot } = useBuilder()
  const { readOnly } = useEditor()
  const { t } = useTranslation('builder')
  const { t: common } = useTranslation()
  const { tick } = useChatbotChanges(pgid)
  const [open, setOpen] = useState(() => !window.matchMedia('(max-width: 760px)').matches)
  const list = useId()
  // optimistic update
  const ticked = tick.isPending ? tick.variables : null
  const steps = chatbot.setup_steps.map((step, at) => (ticked?.step === at ? { ...step, done: ticked.done } : step))
  const done = steps.filter((step) => step.done).length
  if (readOnly || chatbot.setup_steps.every((step) => step.done)) return null
  return (
    <section className={styles.card} aria-label={t('setup.title')} data-open={open || undefined}>
      <button
        type="button"
        className={styles.head}
        aria-expanded={open}
        aria-controls={list}
        onClick={() => setOpen(!open)}
      >
        <ListChecks size={15} aria-hidden />
        <span className={styles.title}>{t('setup.title')}</span>
        <span className={styles.count}>{t('setup.count', { done, count: steps.length })}</span>
        <ChevronDown size={14} aria-hidden />
      </button>
      <ul id={list} className={styles.steps} hidden={!open}>
        {steps.map((step, at) => (
          <li key={step.text}>
            <label className={styles.step} data-done={step.done || undefined}>
              <input
                type="checkbox"
                checked={step.done}
                onChange={(event) =>
                  tick.mutate(
                    { cgid: chatbot.gid, step: at, done: event.currentTarget.checked },
                    { onError: (error) => notify.error(failureText(error, common('errors.message'))) },
                  )
                }
              />
              <span>{step.text}</span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  )
}
