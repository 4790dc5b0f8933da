import { useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { testEffectsOf } from '../../engine/flow/testEffects'
import type { Json } from '../../engine/values/json'
import type { StepDetail } from '../../server/contracts/playground'
import { failureText } from '../api/failure'
import { EffectList } from '../testEffects/EffectCard'
import { IconButton } from '../ui/IconButton'
import { notify } from '../ui/notify'
import { AnswerRecord } from './AnswerRecord'
import type { Debugger } from './debugger'
import css from './inspector.module.css'
import { JsonView } from './JsonView'
import type { Step } from './step'

interface StepCardProps {
  bug: Debugger
  step: Step
  /** its number in its turn */
  number: number
  /** of variables */
  names: Readonly<Record<string, string>>
  exit: string | null
}

/** A step's details: its input, its calls with their results, what it set and said, and its duration. */
export function StepCard({ bug, step, number, names, exit }: StepCardProps) {
  const { t } = useTranslation('preview')
  const { conversation } = bug.store.getState()
  const { data, error } = useQuery({
    queryKey: ['playground-step', conversation, step.turn, number, step.blockId, step.port],
    queryFn: () => bug.inspect(step.turn, number),
  })
  if (error) return <p className={css.failed}>{failureText(error, t('card.failed'))}</p>
  if (!data) return <p className={css.empty}>{t('card.loading')}</p>
  const writes = Object.fromEntries(Object.entries(data.writes).map(([id, value]) => [names[id] ?? id, value]))
  const calls = data.effects.filter(({ type }) => type === 'call')
  const others = data.effects.length - calls.length
  return (
    <div className={css.card} data-card>
      <div className={css.cardHead}>
        <span>{[step.kind, exit ?? step.port].filter(Boolean).join(' → ')}</span>
        <IconButton
          size="s"
          label={t('card.copy')}
          icon={<Copy size={13} />}
          onClick={() =>
            void navigator.clipboard
              .writeText(JSON.stringify({ ...step, ...data }, null, 2))
              .then(() => notify.success(t('card.copied')))
          }
        />
      </div>
      {data.data === null ? <p>{t('card.unknown')}</p> : <JsonView label={t('card.inputs')} value={data.data} />}
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: what was called does not change
        <Call key={index} call={call} />
      ))}
      {others > 0 && <p>{t('card.chance', { count: others })}</p>}
      {Object.keys(writes).length > 0 && <JsonView label={t('card.writes')} value={writes} open />}
      {data.messages.length > 0 && (
        <JsonView label={t('card.said', { count: data.messages.length })} value={data.messages as Json} />
      )}
    </div>
  )
}

function Call({ call }: { call: StepDetail['effects'][number] }) {
  const { t } = useTranslation('preview')
  const { ok, status } = outcome(call.result)
  const effects = testEffectsOf(call.result)
  const isSimulated = effects.some(({ carriedOut }) => !carriedOut)
  return (
    <div className={css.call} data-failed={ok ? undefined : true}>
      <p>
        <b>{call.service}</b> {summary(call.request)}
      </p>
      <p>
        {[
          isSimulated ? t('card.simulated') : (status ?? t(ok ? 'card.done' : 'card.notDone')),
          call.took === null ? null : t('card.took', { count: call.took }),
        ]
          .filter((part) => part !== null)
          .join(' · ')}
      </p>
      <EffectList effects={effects} />
      <AnswerRecord result={call.result} />
      <JsonView label={t('card.request')} value={call.request ?? null} />
      <JsonView label={t('card.answer')} value={call.result} />
    </div>
  )
}

/** A summary line: a request's method and address, a mail's recipients. */
function summary(request: Json | undefined): string {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return ''
  const { method, url, to, subject } = request
  return [method, url, to, subject]
    .flat()
    .filter((part) => typeof part === 'string')
    .join(' ')
}

function outcome(result: Json): { ok: boolean; status: string | null } {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return { ok: true, status: null }
  return {
    ok: result.ok !== false && !(typeof result.status === 'number' && result.status >= 400),
    status: typeof result.status === 'number' ? String(result.status) : null,
  }
}
