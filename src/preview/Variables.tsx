import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { Json } from '../../engine/values/json'
import type { PlaygroundDebug } from '../../server/contracts/playground'
import { useCan } from '../api/account'
import { Button } from '../ui/Button'
import type { Debugger } from './debugger'
import css from './inspector.module.css'
import { ValueField } from './ValueField'

type Variable = PlaygroundDebug['variables'][number]

/** The variables at the shown moment; editors can click a value to change it for later turns. */
export function Variables({ bug, variables }: { bug: Debugger; variables: readonly Variable[] }) {
  const { t } = useTranslation('preview')
  const [edited, setEdited] = useState<string | null>(null)
  const may = useCan('builder.update')
  const editable = useStore(bug.store, ({ debug }) => debug !== null && (debug.active ?? debug.paused) !== null)
  const known = useStore(bug.store, ({ debug }) => debug !== null)
  // the variables are known once the test has started
  if (!known) return null
  if (variables.length === 0) return <p className={css.empty}>{t('noVariables')}</p>
  return (
    <dl className={css.variables}>
      {variables.map((variable) => (
        <div key={variable.id} data-edited={edited === variable.id || undefined}>
          <dt title={variable.name}>{variable.name}</dt>
          <dd>
            {!may ? (
              <span className={css.fixed}>
                {variable.value === null ? <em>{t('unset')}</em> : printed(variable.value)}
              </span>
            ) : edited === variable.id ? (
              <Edit bug={bug} variable={variable} onDone={() => setEdited(null)} />
            ) : (
              <button
                type="button"
                className={css.value}
                disabled={!editable}
                aria-label={t('value.edit', { name: variable.name, value: printed(variable.value) ?? t('unset') })}
                onClick={() => setEdited(variable.id)}
              >
                {variable.value === null ? <em>{t('unset')}</em> : printed(variable.value)}
              </button>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Edit({ bug, variable, onDone }: { bug: Debugger; variable: Variable; onDone: () => void }) {
  const { t } = useTranslation('preview')
  const [value, setValue] = useState<Json>(variable.value)
  const [broken, setBroken] = useState(false)
  const busy = useStore(bug.store, (state) => state.busy)
  return (
    <form
      className={css.edit}
      onSubmit={(event) => {
        event.preventDefault()
        if (!broken) void bug.setVariable(variable.id, value).then((done) => done && onDone())
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onDone()
      }}
    >
      <ValueField
        label={variable.name}
        value={value}
        onChange={(next) => {
          setBroken(false)
          setValue(next)
        }}
        onProblem={() => setBroken(true)}
      />
      <div className={css.editActions}>
        <Button size="s" onClick={onDone}>
          {t('value.cancel')}
        </Button>
        <Button size="s" type="submit" design="primary" disabled={broken} loading={busy}>
          {t('value.set')}
        </Button>
      </div>
    </form>
  )
}

const printed = (value: Json): string | null =>
  value === null ? null : typeof value === 'string' ? value : JSON.stringify(value)
