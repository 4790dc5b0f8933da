import { useTranslation } from 'react-i18next'
import { actionLengths } from '../../../engine/values/agentActions'
import { Card } from '../../ui/Card'
import { Select } from '../../ui/Select'
import { Switch } from '../../ui/Switch'
import styles from './actions.module.css'
import { Counted } from './Counted'
import { ConfigFields } from './config/ConfigFields'
import { useDraft } from './draft'
import { Parameters } from './Parameters'

/** The fields of every action, its parameters, and the fields of its kind. */
export function ActionForm() {
  const { t } = useTranslation('actions')
  const { action, errors, readOnly, change } = useDraft()
  return (
    <>
      <Card title={t('about.title')}>
        <div className={styles.fields}>
          <Counted
            label={t('about.name')}
            path="name"
            required
            value={action.name}
            max={actionLengths.name}
            placeholder={t(`kind.${action.kind}.example`)}
            onChange={(name) => change({ name })}
          />
          <Counted
            label={t('about.when')}
            path="description"
            required
            rows={2}
            hint={t('about.whenHint')}
            value={action.description}
            max={actionLengths.description}
            placeholder={t(`kind.${action.kind}.when`)}
            onChange={(description) => change({ description })}
          />
          <div className={styles.pair}>
            <Select
              label={t('about.frequency')}
              data={(['always', 'once'] as const).map((value) => ({ value, label: t(`frequency.${value}`) }))}
              value={action.frequency}
              allowDeselect={false}
              disabled={readOnly}
              onChange={(value) => change({ frequency: value === 'once' ? 'once' : 'always' })}
            />
            <Switch
              className={styles.switch ?? ''}
              label={t('about.enabled')}
              checked={action.enabled}
              disabled={readOnly}
              onChange={(event) => change({ enabled: event.currentTarget.checked })}
            />
          </div>
        </div>
      </Card>
      {action.kind !== 'appointment' && (
        <Card title={t('parameters.title')} description={t('parameters.description')}>
          <Parameters />
        </Card>
      )}
      <Card
        title={t(`kind.${action.kind}.name`)}
        description={
          action.kind === 'appointment' ? t('appointment.given') : t('placeholders', { open: '{{', close: '}}' })
        }
      >
        <div className={styles.fields}>
          <ConfigFields />
          {action.kind !== 'buttons' && action.kind !== 'lead-form' && (
            <Counted
              label={t('saveTo.label')}
              path="save_to"
              hint={t('saveTo.hint')}
              value={action.save_to ?? ''}
              max={actionLengths.variableName}
              onChange={(name) => change({ save_to: name === '' ? null : name })}
            />
          )}
        </div>
        {errors.config && (
          <p role="alert" className={styles.error}>
            {errors.config}
          </p>
        )}
      </Card>
    </>
  )
}
