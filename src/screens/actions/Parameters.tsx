import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { type ActionParameter, actionCounts, actionLengths } from '../../../engine/values/agentActions'
import { extractTypes } from '../../../engine/values/extractFields'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Select } from '../../ui/Select'
import { Switch } from '../../ui/Switch'
import { TextArea } from '../../ui/TextArea'
import styles from './actions.module.css'
import { Counted } from './Counted'
import { useDraft } from './draft'

const fresh: ActionParameter = { name: '', type: 'text', description: '', required: true, choices: [] }

/** Values that the model has to determine before it uses the action. */
export function Parameters() {
  const { t } = useTranslation('actions')
  const {
    action: { parameters },
    readOnly,
    change,
  } = useDraft()
  const set = (at: number, part: Partial<ActionParameter>) =>
    change({ parameters: parameters.map((each, index) => (index === at ? { ...each, ...part } : each)) })
  return (
    <div className={styles.fields}>
      {parameters.map((parameter, at) => (
        <Parameter
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no other id, and none of their fields keeps a state
          key={at}
          at={at}
          parameter={parameter}
          onChange={(part) => set(at, part)}
          onRemove={() => change({ parameters: parameters.filter((_, index) => index !== at) })}
        />
      ))}
      {!readOnly && parameters.length < actionCounts.parameters && (
        <div>
          <Button size="s" icon={<Plus />} onClick={() => change({ parameters: [...parameters, fresh] })}>
            {t('parameters.add')}
          </Button>
        </div>
      )}
    </div>
  )
}

interface ParameterProps {
  at: number
  parameter: ActionParameter
  onChange: (part: Partial<ActionParameter>) => void
  onRemove: () => void
}

function Parameter({ at, parameter, onChange, onRemove }: ParameterProps) {
  const { t } = useTranslation('actions')
  const { errors, readOnly } = useDraft()
  const { name, type, description, required, choices } = parameter
  const path = `parameters.${at}`
  const wrongChoice = Object.entries(errors).find(([field]) => field.startsWith(`${path}.choices`))?.[1]
  return (
    <fieldset className={styles.parameter}>
      <legend>{name.trim() ? `{{${name.trim()}}}` : t('parameters.one', { number: at + 1 })}</legend>
      <div className={styles.pair}>
        <Counted
          label={t('parameters.name')}
          path={`${path}.name`}
          required
          value={name}
          max={actionLengths.variableName}
          // SPEC.md 5: other characters are stripped from names
          onChange={(text) => onChange({ name: text.replace(/[^\p{L}\p{N}_ ]/gu, '') })}
        />
        <Select
          label={t('parameters.type')}
          data={extractTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
          value={type}
          allowDeselect={false}
          disabled={readOnly}
          onChange={(value) => onChange({ type: extractTypes.find((each) => each === value) ?? 'text' })}
        />
      </div>
      <Counted
        label={t('parameters.about')}
        path={`${path}.description`}
        value={description}
        max={actionLengths.description}
        onChange={(text) => onChange({ description: text })}
      />
      {type === 'choice' && (
        <TextArea
          label={t('parameters.choices')}
          description={t('parameters.choicesHint')}
          value={choices.join('\n')}
          readOnly={readOnly}
          error={wrongChoice}
          onChange={(event) => onChange({ choices: linesOf(event.currentTarget.value) })}
        />
      )}
      <div className={styles.between}>
        <Switch
          label={t('parameters.required')}
          checked={required}
          disabled={readOnly}
          onChange={(event) => onChange({ required: event.currentTarget.checked })}
        />
        {!readOnly && (
          <IconButton
            size="s"
            label={t('parameters.remove', { name: name.trim() || t('parameters.one', { number: at + 1 }) })}
            icon={<Trash2 />}
            onClick={onRemove}
          />
        )}
      </div>
    </fieldset>
  )
}

/** One per line; an empty text is none. */
const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'))
