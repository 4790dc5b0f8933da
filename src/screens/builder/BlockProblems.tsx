import { ChevronUp, CircleAlert, Info, TriangleAlert } from 'lucide-react'
import { type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Diagnostic } from '../../../engine/check/diagnostic'
import { useEditor } from '../../canvas/context'
import styles from './BlockProblems.module.css'
import { useBuilder } from './builderContext'
import { MendButton } from './MendButton'
import { useProblemText } from './problemWords'

const icons = { error: CircleAlert, warning: TriangleAlert, info: Info }

/**
 * The checker's problems of a block, below its form: a count that opens the list with fixes. Problems that appear while
 * the user types in the form wait until the field is left.
 */
export function BlockProblems({ blockId, form }: { blockId: string; form: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation('problems')
  const { readOnly } = useEditor()
  const { problems } = useBuilder()
  const textOf = useProblemText(problems)
  const [opened, setOpened] = useState(false)
  const list = useId()
  const own = useSettled(
    problems.diagnostics.filter(({ place }) => place.blockId === blockId),
    form,
  )
  const [worst] = own
  if (!worst) return null
  const WorstIcon = icons[worst.severity]
  return (
    <section className={styles.problems} aria-label={t('panel.ofBlock')}>
      <button
        type="button"
        className={styles.summary}
        data-severity={worst.severity}
        aria-expanded={opened}
        aria-controls={list}
        onClick={() => setOpened(!opened)}
      >
        <WorstIcon size={14} role="img" aria-label={t(`severity.${worst.severity}`)} />
        <span>{own.length === 1 ? textOf(worst) : t('panel.button', { count: own.length })}</span>
        <ChevronUp size={14} aria-hidden />
      </button>
      <ul id={list} className={styles.list} hidden={!opened}>
        {own.map((diagnostic, at) => {
          const { severity, remedy } = diagnostic
          const Icon = icons[severity]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: two findings may be equal in all but their order
            <li key={at} className={styles.problem} data-severity={severity}>
              <Icon size={14} role="img" aria-label={t(`severity.${severity}`)} />
              <span>{textOf(diagnostic)}</span>
              {remedy && !readOnly && <MendButton remedy={remedy} design="ghost" />}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** All problems, except new ones while the user types in the form. */
function useSettled(own: readonly Diagnostic[], form: RefObject<HTMLElement | null>): readonly Diagnostic[] {
  const writing = useWriting(form)
  const before = useRef<ReadonlySet<string>>(new Set())
  const shown = writing ? own.filter((diagnostic) => before.current.has(keyOf(diagnostic))) : own
  useEffect(() => {
    before.current = new Set(shown.map(keyOf))
  })
  return shown
}

const keyOf = ({ code, place, values }: Diagnostic) => JSON.stringify([code, place, values])

/** Whether a field of the form has the focus; a form that was just opened is about to focus its first one. */
function useWriting(form: RefObject<HTMLElement | null>): boolean {
  const [writing, setWriting] = useState(true)
  useEffect(() => {
    const element = form.current
    if (!element) return
    const look = () => setWriting(element.contains(document.activeElement))
    const frame = requestAnimationFrame(() => requestAnimationFrame(look))
    // the focus is nowhere while it moves between fields
    const left = (event: FocusEvent) => setWriting(element.contains(event.relatedTarget as Node | null))
    element.addEventListener('focusin', look)
    element.addEventListener('focusout', left)
    return () => {
      cancelAnimationFrame(frame)
      element.removeEventListener('focusin', look)
      element.removeEventListener('focusout', left)
    }
  }, [form])
  return writing
}
