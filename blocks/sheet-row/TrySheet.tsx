import { Play } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { printValue, type Variables } from '../../engine/values/render'
import { useFlowScope, useVariableLookup } from '../../src/text/flowScope'
import { TrySection } from '../../src/text/form/TrySection'
import { TextField } from '../../src/ui/TextField'
import { sheetRequest, variablesOf } from './request'
import type { SheetRowData } from './schema'

type State = { step: 'idle' } | { step: 'sending' } | { step: 'done'; text: string; rows: string } | Failed
interface Failed {
  step: 'failed'
  problem: string
}

/** Makes the block's call once, with values to try it with, and shows what came. */
export function TrySheet({ data, readOnly }: { data: SheetRowData; readOnly: boolean }) {
  const { t } = useTranslation('blocks')
  const { variables, connections } = useFlowScope()
  const lookup = useVariableLookup()
  const [state, setState] = useState<State>({ step: 'idle' })
  const [samples, setSamples] = useState<Readonly<Record<string, string>>>({})
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const trySheet = connections?.trySheet
  if (!trySheet || readOnly) return null
  const used = variablesOf(data).flatMap((id) => {
    const name = lookup.nameOf(id)
    return name === undefined ? [] : [{ id, name, value: variables.find((each) => each.id === id)?.value ?? null }]
  })
  const sampleOf = ({ id, value }: (typeof used)[number]) => samples[id] ?? printValue(value)

  const send = async () => {
    const values: Variables = Object.fromEntries(used.map((each) => [each.id, sampleOf(each) || null]))
    const request = sheetRequest(data, values)
    if (!request) return setState({ step: 'failed', problem: t('sheet-row.test.incomplete') })
    running.current?.abort()
    running.current = new AbortController()
    const { signal } = running.current
    setState({ step: 'sending' })
    const next = await trySheet(request, signal).then(
      ({ ok, error, rows, numbers }): State => {
        if (!ok)
          return {
            step: 'failed',
            problem: error === 'not-found' ? t('sheet-row.test.notFound') : (error ?? t('sheet-row.test.notFound')),
          }
        const count = numbers.length
        const text =
          data.action === 'add'
            ? t('sheet-row.test.added')
            : t(data.action === 'get' ? 'sheet-row.test.found' : 'sheet-row.test.changed', { count })
        return { step: 'done', text, rows: rows.length > 0 ? JSON.stringify(rows.slice(0, 20), null, 2) : '' }
      },
      (error: unknown): State => ({
        step: 'failed',
        problem: error instanceof Error ? error.message : String(error),
      }),
    )
    if (!signal.aborted) setState(next)
  }

  return (
    <TrySection
      title={t('sheet-row.test.title')}
      help={t('sheet-row.test.help')}
      button={{ label: t('sheet-row.test.send'), icon: <Play size={14} />, loading: state.step === 'sending' }}
      onTry={() => void send()}
      status={state.step === 'sending' ? t('sheet-row.test.sending') : state.step === 'done' ? state.text : ''}
      problem={state.step === 'failed' ? state.problem : null}
      result={state.step === 'done' ? state.rows : ''}
    >
      {used.map((variable) => (
        <TextField
          key={variable.id}
          label={variable.name}
          value={sampleOf(variable)}
          placeholder={t('sheet-row.test.sample')}
          onChange={(event) => setSamples({ ...samples, [variable.id]: event.currentTarget.value })}
        />
      ))}
    </TrySection>
  )
}
