import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Json } from '../../engine/values/json'
import { Button } from '../ui/Button'
import type { Debugger } from './debugger'
import css from './RunValues.module.css'
import { ValueField } from './ValueField'

/** Initial variables of a run from a chosen place; remembered for the next time. */
export function RunValues(props: {
  bug: Debugger
  flowId: string | null
  variables: readonly { id: string; name: string; value: Json }[]
  onDone: () => void
}) {
  const { bug, flowId, variables, onDone } = props
  const { t } = useTranslation('preview')
  const kept = useStore(bug.store, (state) => state.values[flowId ?? ''])
  const [values, setValues] = useState<Record<string, Json>>(kept ?? {})
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set())
  return (
    <form
      className={css.form}
      aria-label={t('from.values')}
      onSubmit={(event) => {
        event.preventDefault()
        bug.setValues(flowId, values)
        bug.restart()
        onDone()
      }}
    >
      {variables.map(({ id, name, value }) => (
        <ValueField
          key={id}
          label={name}
          value={Object.hasOwn(values, id) ? (values[id] ?? null) : value}
          onChange={(next) => {
            setBroken(new Set([...broken].filter((other) => other !== id)))
            setValues({ ...values, [id]: next })
          }}
          onProblem={() => setBroken(new Set([...broken, id]))}
        />
      ))}
      <div className={css.actions}>
        <Button size="s" onClick={() => setValues({})}>
          {t('from.forget')}
        </Button>
        <Button size="s" type="submit" design="primary" disabled={broken.size > 0}>
          {t('from.run')}
        </Button>
      </div>
    </form>
  )
}
