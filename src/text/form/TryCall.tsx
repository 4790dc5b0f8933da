import { Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { printValue, type Variables } from '../../../engine/values/render'
import { Button } from '../../ui/Button'
import { TextField } from '../../ui/TextField'
import { useFlowScope, useVariableLookup } from '../flowScope'
import styles from './form.module.css'

/** What came: a sentence, with all of it as text; or what went wrong. */
export type Tried = { text: string; details?: string } | { problem: string }

interface TryCallProps<Request, Answer> {
  /** ids of the variables that the call reads */
  reads: readonly string[]
  /** null: something is still to be chosen */
  request: (values: Variables) => Request | null
  send: (request: Request, signal: AbortSignal) => Promise<Answer>
  present: (answer: Answer) => Tried
}

/** The part of a form that makes the block's call once, for real, with values to try it with. */
export function TryCall<Request, Answer>({ reads, request, send, present }: TryCallProps<Request, Answer>) {
  const { t } = useTranslation('text')
  const { variables } = useFlowScope()
  const lookup = useVariableLookup()
  const [samples, setSamples] = useState<Readonly<Record<string, string>>>({})
  const [isSending, setSending] = useState(false)
  const [tried, setTried] = useState<Tried | null>(null)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const used = reads.flatMap((id) => {
    const name = lookup.nameOf(id)
    return name === undefined ? [] : [{ id, name, value: variables.find((each) => each.id === id)?.value ?? null }]
  })
  const sampleOf = ({ id, value }: (typeof used)[number]) => samples[id] ?? printValue(value)
  const attempt = async () => {
    const asked = request(Object.fromEntries(used.map((each) => [each.id, sampleOf(each) || null])))
    if (asked === null) return setTried({ problem: t('try.incomplete') })
    running.current?.abort()
    running.current = new AbortController()
    const { signal } = running.current
    setSending(true)
    setTried(null)
    const next = await send(asked, signal).then(
      present,
      (error: unknown): Tried => ({
        problem: error instanceof Error ? error.message : String(error),
      }),
    )
    if (signal.aborted) return
    setTried(next)
    setSending(false)
  }
  return (
    <section className={styles.try} aria-label={t('try.title')}>
      <div className={styles.label}>{t('try.title')}</div>
      <p className={styles.help}>{t('try.help')}</p>
      {used.map((variable) => (
        <TextField
          key={variable.id}
          label={variable.name}
          value={sampleOf(variable)}
          placeholder={t('try.sample')}
          onChange={(event) => setSamples({ ...samples, [variable.id]: event.currentTarget.value })}
        />
      ))}
      <div>
        <Button
          icon={<Play size={14} />}
          loading={isSending}
          // a field may shrink when it loses focus, and move the button away from the pointer
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => void attempt()}
        >
          {t('try.send')}
        </Button>
      </div>
      <div role="status" className={styles.help}>
        {isSending ? t('try.sending') : tried && 'text' in tried ? tried.text : ''}
      </div>
      {tried && 'problem' in tried && (
        <div className={styles.error} role="alert">
          {tried.problem}
        </div>
      )}
      {tried && 'details' in tried && tried.details && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <pre className={styles.data} tabIndex={0}>
          {tried.details}
        </pre>
      )}
    </section>
  )
}
