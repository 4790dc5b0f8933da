import { Play } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ActionParameter, type AgentAction, parametersOf } from '../../../engine/values/agentActions'
import type { ActionRun } from '../../../server/contracts/actions'
import { AnswerParts } from '../../answers/AnswerParts'
import { useCan } from '../../api/account'
import type { useActionTest } from '../../api/actions'
import { ApiFailure, failureText } from '../../api/failure'
import { formatNumber } from '../../i18n/format'
import { ActSwitch } from '../../testEffects/ActSwitch'
import { EffectList } from '../../testEffects/EffectCard'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import styles from './actions.module.css'
import { useDraft } from './draft'

interface TestPanelProps {
  /** of the stored action; null: it is not stored */
  gid: string | null
  /** the validated action, or null if it has errors */
  onCheck: () => AgentAction | null
  run: ReturnType<typeof useActionTest>
}

/** Tries out the action in the form, with arguments entered by hand instead of by the model. */
export function TestPanel({ gid, onCheck, run }: TestPanelProps) {
  const { t } = useTranslation('actions')
  const { t: common } = useTranslation()
  const { action } = useDraft()
  const mayTest = useCan('actions.test')
  const [given, setGiven] = useState<Record<string, string>>({})
  const [acts, setActs] = useState(false)
  const [unfinished, setUnfinished] = useState(false)
  if (!mayTest) return null
  const named = parametersOf(action).filter(({ name }) => name.trim() !== '')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const checked = onCheck()
    setUnfinished(checked === null)
    if (!checked) return run.reset()
    const filled = parametersOf(checked).flatMap(({ name }) => (given[name] ? [[name, given[name]] as const] : []))
    run.mutate({
      action: checked,
      arguments: Object.fromEntries(filled),
      ...(gid !== null && { gid }),
      ...(acts && { carry_out: true }),
    })
  }
  const isAtField = run.error instanceof ApiFailure && Object.keys(run.error.fields).length > 0
  const isReal = ['http-request', 'send-email', 'appointment'].includes(action.kind)
  return (
    <Card
      title={t('test.title')}
      description={t(isReal && acts ? 'test.real' : isReal ? 'test.simulated' : 'test.shown')}
    >
      <form className={styles.fields} onSubmit={submit} noValidate>
        {named.map((parameter) => (
          <Argument
            key={parameter.name}
            parameter={parameter}
            value={given[parameter.name.trim()] ?? ''}
            onChange={(value) => setGiven({ ...given, [parameter.name.trim()]: value })}
          />
        ))}
        {isReal && <ActSwitch on={acts} onChange={setActs} />}
        <div>
          <Button type="submit" icon={<Play />} loading={run.isPending}>
            {t('test.run')}
          </Button>
        </div>
      </form>
      <div aria-live="polite">
        {(unfinished || isAtField) && <p className={styles.error}>{t('test.unfinished')}</p>}
        {run.error && !isAtField && <p className={styles.error}>{failureText(run.error, common('errors.message'))}</p>}
        {run.data && <Result run={run.data} />}
      </div>
    </Card>
  )
}

interface ArgumentProps {
  parameter: ActionParameter
  value: string
  onChange: (value: string) => void
}

function Argument({ parameter: { name, type, required, choices }, value, onChange }: ArgumentProps) {
  const { t } = useTranslation('actions')
  const label = t('test.argument', { name: name.trim() })
  if (type === 'choice' || type === 'yes-no') {
    const data =
      type === 'choice'
        ? [...new Set(choices.map((choice) => choice.trim()).filter(Boolean))]
        : (['yes', 'no'] as const).map((each) => ({ value: each, label: t(`test.${each}`) }))
    return (
      <Select
        label={label}
        withAsterisk={required}
        data={data}
        value={value || null}
        clearable
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    )
  }
  return (
    <TextField
      label={label}
      withAsterisk={required}
      placeholder={t(`example.${type}`)}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function Result({ run: { ok, result, parts, steps, ms } }: { run: ActionRun }) {
  const { t } = useTranslation('actions')
  return (
    <section className={styles.result} aria-label={t('test.result')}>
      <p className={styles.badges}>
        <Badge dot tone={ok ? 'success' : 'danger'}>
          {t(ok ? 'test.worked' : 'test.failed')}
        </Badge>
        <span className={styles.hint}>{t('test.ms', { ms: formatNumber(ms) })}</span>
      </p>
      <ol className={styles.log}>
        {steps.map(({ name, detail }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a record that never changes
          <li key={at}>
            <strong>{name}</strong> {detail}
          </li>
        ))}
      </ol>
      <EffectList effects={steps.flatMap(({ effect }) => effect ?? [])} />
      {parts.length > 0 && (
        <>
          <h3>{t('test.visitor')}</h3>
          <AnswerParts parts={parts} />
        </>
      )}
      <h3>{t('test.told')}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <pre className={styles.told} tabIndex={0}>
        {JSON.stringify(result, null, 2)}
      </pre>
    </section>
  )
}
