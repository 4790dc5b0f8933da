import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Projection } from '../../../../engine/document/commands'
import type { VariableUse } from '../../../../engine/document/variableUses'
import { checkVariableName, cleanVariableName } from '../../../../engine/flow/variableName'
import { useView } from '../../../canvas/adapter'
import { select } from '../../../canvas/canvasStore'
import { useEditor, useKindTexts, useProjection } from '../../../canvas/context'
import { convert, print, read, typeOf, valueTypes } from '../../../text/typedValue'
import { Button } from '../../../ui/Button'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { Select } from '../../../ui/Select'
import { TextField } from '../../../ui/TextField'
import styles from './VariablesPanel.module.css'

type Variable = Projection['variables'][number]

/** The most uses listed; the rest is counted. */
const SHOWN = 20

/** A variable: its name, initial value, and uses; deleting it shows what is affected. */
export function VariableDetails(props: { variable: Variable; uses: readonly VariableUse[]; onDeleted: () => void }) {
  const { variable, uses } = props
  const { document, readOnly } = useEditor()
  const { t } = useTranslation('variables')
  const [deleting, setDeleting] = useState(false)
  return (
    <div className={styles.details}>
      <NameField key={variable.name} variable={variable} />
      <ValueFields key={typeOf(variable.value)} variable={variable} />
      <div className={styles.uses}>
        <div className={styles.label}>{t('panel.usedIn', { count: uses.length })}</div>
        <Uses uses={uses} />
      </div>
      {!readOnly && (
        <div>
          <Button size="s" design="ghost" icon={<Trash2 size={14} />} onClick={() => setDeleting(true)}>
            {t('panel.delete', { name: variable.name })}
          </Button>
        </div>
      )}
      <ConfirmDialog
        opened={deleting}
        danger
        title={t('panel.deleteTitle', { name: variable.name })}
        message={uses.length === 0 ? t('panel.deleteUnused') : t('panel.deleteUsed', { count: uses.length })}
        confirm={t('panel.confirm')}
        onClose={() => setDeleting(false)}
        onConfirm={() => {
          setDeleting(false)
          document.commands.deleteVariable(variable.id)
          props.onDeleted()
        }}
      />
    </div>
  )
}

/** Renames on blur or Enter; Escape restores the name. */
function NameField({ variable }: { variable: Variable }) {
  const { document, readOnly } = useEditor()
  const { t } = useTranslation(['variables', 'text'])
  const [name, setName] = useState(variable.name)
  const others = document.projection().variables.filter(({ id }) => id !== variable.id)
  const problem = checkVariableName(
    name,
    others.map((other) => other.name),
  )
  const keep = () => {
    if (problem || cleanVariableName(name) === variable.name) return
    document.commands.updateVariable(variable.id, { name: cleanVariableName(name) })
  }
  return (
    <TextField
      label={t('panel.name')}
      aria-label={t('panel.rename', { name: variable.name })}
      value={name}
      readOnly={readOnly}
      error={problem && t(`text:variables.${problem.key}`, { n: problem.n })}
      onChange={(event) => setName(event.currentTarget.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.key === 'Enter') keep()
        if (event.key !== 'Escape') return
        event.stopPropagation()
        setName(variable.name)
      }}
    />
  )
}

/** The initial value. Invalid text stays in the field with an error, and changes nothing. */
function ValueFields({ variable }: { variable: Variable }) {
  const { document, readOnly } = useEditor()
  const { t } = useTranslation('variables')
  const type = typeOf(variable.value)
  const [draft, setDraft] = useState<string | null>(null)
  const typed = draft === null ? null : read(draft, type)
  const problem =
    typed && 'problem' in typed ? t(`panel.${typed.problem}`) : typed && 'message' in typed && typed.message
  return (
    <>
      <Select
        label={t('panel.startsWith')}
        data={valueTypes.map((value) => ({ value, label: t(`panel.types.${value}`) }))}
        value={type}
        disabled={readOnly}
        onChange={(chosen) => {
          const next = valueTypes.find((value) => value === chosen)
          if (next) document.commands.updateVariable(variable.id, { value: convert(variable.value, next) })
        }}
      />
      {type === 'yes-no' && (
        <Select
          aria-label={t('panel.startsWith')}
          data={[
            { value: 'true', label: t('panel.yes') },
            { value: 'false', label: t('panel.no') },
          ]}
          value={String(variable.value)}
          disabled={readOnly}
          onChange={(chosen) => document.commands.updateVariable(variable.id, { value: chosen === 'true' })}
        />
      )}
      {type !== 'unset' && type !== 'yes-no' && (
        <TextField
          aria-label={t('panel.startsWith')}
          value={draft ?? print(variable.value)}
          readOnly={readOnly}
          error={problem}
          onChange={(event) => {
            const text = event.currentTarget.value
            setDraft(text)
            const next = read(text, type)
            if ('value' in next)
              document.commands.typing(() => document.commands.updateVariable(variable.id, { value: next.value }))
          }}
          onBlur={() => problem || setDraft(null)}
        />
      )}
    </>
  )
}

function Uses({ uses }: { uses: readonly VariableUse[] }) {
  const { store } = useEditor()
  const { t } = useTranslation('variables')
  const kinds = useKindTexts()
  const view = useView()
  const groups = useProjection((projection) => projection.groups)
  const blocks = useProjection((projection) => projection.blocks)
  return (
    <ul className={styles.places}>
      {uses.slice(0, SHOWN).map(({ blockId, groupId, sets }) => {
        const kind = kinds.title(blocks.get(blockId)?.kind ?? '')
        const group = groups.get(groupId)?.title || t('panel.untitled')
        return (
          <li key={blockId}>
            <button
              type="button"
              aria-label={t('panel.show', { kind, group })}
              onClick={() => {
                select(store, { blocks: [blockId] })
                view.show(groupId, blockId)
              }}
            >
              <span className={styles.kind}>{kind}</span> {group}
              {sets && <span className={styles.sets}>{t('panel.sets')}</span>}
            </button>
          </li>
        )
      })}
      {uses.length > SHOWN && <li className={styles.hint}>{t('panel.more', { count: uses.length - SHOWN })}</li>}
    </ul>
  )
}
