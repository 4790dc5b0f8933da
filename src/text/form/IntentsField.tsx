import { useTranslation } from 'react-i18next'
import { MultiSelect } from '../../ui/MultiSelect'
import { useFlowScope } from '../flowScope'
import { errorId, FieldFrame } from './FieldFrame'
import { useField } from './formContext'

/** Intent triggers of the flow, by block id. */
export function IntentsField({ name }: { name: string }) {
  const { t } = useTranslation('text')
  const field = useField<string[] | undefined>(name)
  const { intents } = useFlowScope()
  const chosen = field.value ?? []
  const gone = chosen.filter((id) => !intents.some(({ blockId }) => blockId === id))
  return (
    <FieldFrame field={field}>
      <MultiSelect
        id={field.id}
        data={[
          ...intents.map(({ blockId, name: label }) => ({ value: blockId, label: label || t('form.untitledIntent') })),
          ...gone.map((id) => ({ value: id, label: t('form.intentGone') })),
        ]}
        value={chosen}
        placeholder={chosen.length === 0 ? field.placeholder : undefined}
        nothingFoundMessage={t('form.noIntents')}
        searchable
        disabled={field.readOnly}
        error={field.error !== undefined}
        aria-describedby={errorId(field.id)}
        onChange={(ids) => field.set(ids)}
      />
    </FieldFrame>
  )
}
