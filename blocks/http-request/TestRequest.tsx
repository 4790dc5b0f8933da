import { Send, X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createIdSource } from '../../engine/flow/ids'
import type { Json } from '../../engine/values/json'
import { printValue, type Variables } from '../../engine/values/render'
import { useFlowScope, useVariableLookup } from '../../src/text/flowScope'
import { Button } from '../../src/ui/Button'
import { TextField } from '../../src/ui/TextField'
import { Answer, type Pick } from './Answer'
import { buildCall, variablesOf } from './request'
import { type HttpRequestData, httpCaps } from './schema'
import styles from './test.module.css'
import { useTestRequest } from './useTestRequest'

const newId = createIdSource((count) => crypto.getRandomValues(new Uint8Array(count)))

interface TestRequestProps {
  data: HttpRequestData
  setData: (patch: Partial<HttpRequestData>) => void
  readOnly: boolean
}

/** Sends the request once with test values, and shows the response; clicking a value saves it from then on. */
export function TestRequest({ data, setData, readOnly }: TestRequestProps) {
  const { t } = useTranslation('blocks')
  const { variables } = useFlowScope()
  const lookup = useVariableLookup()
  const test = useTestRequest()
  const [samples, setSamples] = useState<Readonly<Record<string, string>>>({})
  if (!test || readOnly) return null
  const { state } = test
  const used = variablesOf(data).flatMap((id) => {
    const name = lookup.nameOf(id)
    const value = variables.find((variable) => variable.id === id)?.value ?? null
    return name === undefined ? [] : [{ id, name, value }]
  })
  const sampleOf = ({ id, value }: (typeof used)[number]) => samples[id] ?? printValue(value)
  const values: Variables = Object.fromEntries(
    used.map((variable) => [variable.id, typedAs(sampleOf(variable), variable.value)]),
  )
  const pick: Pick = (from, path, variableId) =>
    setData({ mapping: [...data.mapping, { id: newId(), from, path, variableId }] })

  return (
    <section className={styles.test} aria-label={t('http-request.test.title')}>
      <div className={styles.title}>{t('http-request.test.title')}</div>
      <p className={styles.help}>{t('http-request.test.help')}</p>
      {used.map((variable) => (
        <TextField
          key={variable.id}
          label={variable.name}
          value={sampleOf(variable)}
          placeholder={t('http-request.test.sample')}
          onChange={(event) => setSamples({ ...samples, [variable.id]: event.currentTarget.value })}
        />
      ))}
      <div className={styles.actions}>
        <Button
          icon={<Send size={14} />}
          loading={state.step === 'sending'}
          // a field may shrink when it loses focus, and move the button away from the pointer
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => test.send(buildCall(data, values))}
        >
          {t('http-request.test.send')}
        </Button>
        {state.step === 'sending' && (
          <Button design="ghost" icon={<X size={14} />} onClick={test.cancel}>
            {t('http-request.test.cancel')}
          </Button>
        )}
      </div>
      <div role="status">
        {state.step === 'sending' && <p className={styles.help}>{t('http-request.test.sending')}</p>}
      </div>
      {state.step === 'failed' && (
        <p className={styles.problem} role="alert">
          {state.problem}
        </p>
      )}
      {state.step === 'answered' && (
        <Answer answer={state.answer} onPick={data.mapping.length < httpCaps.rows ? pick : null} />
      )}
      {state.step === 'answered' && state.answer.ok && state.answer.body !== null && (
        <Button onClick={() => setData({ sample: sampleTextOf(state.answer.body) })}>
          {t('http-request.test.keep')}
        </Button>
      )}
    </section>
  )
}

/** A response as the text of a sample. */
const sampleTextOf = (body: Json): string =>
  (typeof body === 'string' ? body : JSON.stringify(body, null, 2)).slice(0, httpCaps.sample)

/** Converts a typed sample to the type of the variable's initial value, if that is not a text. */
function typedAs(sample: string, initial: Json): Json {
  if (sample === '') return null
  if (typeof initial === 'string') return sample
  try {
    return JSON.parse(sample)
  } catch {
    return sample
  }
}
