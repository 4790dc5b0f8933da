import { ChevronRight, Lock, Plus } from 'lucide-react'
import { type SubmitEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { variableUses } from '../../../../engine/document/variableUses'
import { checkVariableName, cleanVariableName } from '../../../../engine/flow/variableName'
import { systemVariables } from '../../../../engine/values/systemVariables'
import { useEditor, useProjection } from '../../../canvas/context'
import { Chip } from '../../../text/RichTextView'
import { typeOf } from '../../../text/typedValue'
import { Button } from '../../../ui/Button'
import { TextField } from '../../../ui/TextField'
import { PanelHeader } from './PanelHeader'
import { VariableDetails } from './VariableDetails'
import styles from './VariablesPanel.module.css'

/** The variables of the open flow: search, create, edit; and the system variables. */
export function VariablesPanel({ onClose }: { onClose: () => void }) {
  const { registry, readOnly } = useEditor()
  const { t } = useTranslation('variables')
  const projection = useProjection((whole) => whole)
  const [search, setSearch] = useState('')
  const [open, setOpen] = useState<string | null>(null)
  const [creating, setCreating] = useState(false)
  const uses = useMemo(() => variableUses(projection, registry), [projection, registry])
  const { variables } = projection
  const wanted = search.trim().toLowerCase()
  const shown = variables.filter(({ name }) => name.toLowerCase().includes(wanted))
  const system = systemVariables.filter(({ name }) => name.includes(wanted))
  return (
    <>
      <PanelHeader
        title={t('panel.title')}
        close={t('panel.close')}
        onClose={onClose}
        actions={
          !readOnly &&
          !creating && (
            <Button size="s" icon={<Plus size={14} />} onClick={() => setCreating(true)}>
              {t('panel.new')}
            </Button>
          )
        }
      >
        <p className={styles.hint}>{t('panel.help')}</p>
        {creating && (
          <NewVariable
            onClose={() => setCreating(false)}
            onCreated={(id) => {
              setCreating(false)
              setSearch('')
              setOpen(id)
            }}
          />
        )}
        <TextField
          aria-label={t('panel.search')}
          placeholder={t('panel.search')}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      </PanelHeader>
      <div className={styles.body}>
        {variables.length === 0 && <p className={styles.empty}>{t('panel.none')}</p>}
        {variables.length > 0 && shown.length === 0 && system.length === 0 && (
          <p className={styles.empty}>{t('panel.noMatch', { search })}</p>
        )}
        <ul className={styles.list}>
          {shown.map((variable) => {
            const used = uses.get(variable.id) ?? []
            const isOpen = variable.id === open
            return (
              <li key={variable.id} data-open={isOpen || undefined}>
                <button
                  type="button"
                  className={styles.row}
                  aria-expanded={isOpen}
                  aria-label={t('panel.details', { name: variable.name })}
                  onClick={() => setOpen(isOpen ? null : variable.id)}
                >
                  <ChevronRight size={13} aria-hidden />
                  <Chip name={variable.name} />
                  <span className={styles.meta}>
                    {typeOf(variable.value) !== 'unset' && `${t(`panel.types.${typeOf(variable.value)}`)} · `}
                    {t('panel.uses', { count: used.length })}
                  </span>
                </button>
                {isOpen && <VariableDetails variable={variable} uses={used} onDeleted={() => setOpen(null)} />}
              </li>
            )
          })}
        </ul>
        {system.length > 0 && (
          <section className={styles.system} aria-label={t('panel.system')}>
            <h3>
              <Lock size={12} aria-hidden /> {t('panel.system')}
            </h3>
            <p className={styles.hint}>{t('panel.systemHelp')}</p>
            <ul>
              {system.map(({ id, name }) => (
                <li key={id}>
                  <Chip name={name} />
                  <span>{t(`system.${name}`)}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </>
  )
}

function NewVariable({ onCreated, onClose }: { onCreated: (id: string) => void; onClose: () => void }) {
  const { document, newId } = useEditor()
  const { t } = useTranslation(['variables', 'text'])
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const problem = checkVariableName(
    name,
    document.projection().variables.map((variable) => variable.name),
  )
  const shown = problem && (tried || problem.key !== 'nameEmpty') ? problem : null
  const create = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (problem) return
    const id = newId()
    document.commands.addVariable({ id, name: cleanVariableName(name), value: null })
    onCreated(id)
  }
  return (
    <form className={styles.create} onSubmit={create} noValidate>
      <TextField
        aria-label={t('panel.name')}
        placeholder={t('panel.name')}
        value={name}
        autoFocus
        error={shown && t(`text:variables.${shown.key}`, { n: shown.n })}
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onClose()
        }}
      />
      <Button type="submit" design="primary">
        {t('panel.create')}
      </Button>
    </form>
  )
}
