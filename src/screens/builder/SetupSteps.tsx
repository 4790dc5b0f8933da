import { ChevronDown, ListChecks } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
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
  // optimistic, and set in the event itself: a mutation tells later, and meanwhile the box would go back
  const [ticked, setTicked] = useState<ReadonlyMap<number, boolean>>(new Map())
  const kept = chatbot.setup_steps
  useEffect(() => {
    setTicked((before) => new Map([...before].filter(([at, done]) => kept[at]?.done !== done)))
  }, [kept])
  const steps = chatbot.setup_steps.map((step, at) => ({ ...step, done: ticked.get(at) ?? step.done }))
  const done = steps.filter((step) => step.done).length
  if (readOnly || chatbot.setup_steps.every((step) => step.done)) return null

  async function set(step: number, done: boolean): Promise<void> {
    setTicked((before) => new Map(before).set(step, done))
    try {
      await tick.mutateAsync({ cgid: chatbot.gid, step, done })
    } catch (error) {
      notify.error(failureText(error, common('errors.message')))
      // one that was changed again meanwhile is the later call's
      setTicked((before) => new Map([...before].filter(([at, was]) => at !== step || was !== done)))
    }
  }

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
                onChange={(event) => void set(at, event.currentTarget.checked)}
              />
              <span>{step.text}</span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  )
}
