import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { actionCounts, actionLengths } from '../../../../engine/values/agentActions'
import { Button } from '../../../ui/Button'
import { IconButton } from '../../../ui/IconButton'
import styles from '../actions.module.css'
import { Counted } from '../Counted'
import { useConfig, useDraft } from '../draft'

export function ButtonsFields() {
  const { t } = useTranslation('actions')
  const { readOnly } = useDraft()
  const {
    config: { text, buttons },
    set,
  } = useConfig('buttons')
  const change = (at: number, part: Partial<(typeof buttons)[number]>) =>
    set({ buttons: buttons.map((each, index) => (index === at ? { ...each, ...part } : each)) })
  return (
    <>
      <Counted
        label={t('buttons.text')}
        path="config.text"
        value={text}
        max={actionLengths.text}
        onChange={(value) => set({ text: value })}
      />
      {buttons.map(({ label, url }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other id
        <fieldset key={at} className={styles.parameter}>
          <legend>{t('buttons.one', { number: at + 1 })}</legend>
          <Counted
            label={t('buttons.label')}
            path={`config.buttons.${at}.label`}
            required
            value={label}
            max={actionLengths.buttonLabel}
            onChange={(value) => change(at, { label: value })}
          />
          <Counted
            label={t('buttons.url')}
            path={`config.buttons.${at}.url`}
            required
            mono
            value={url}
            max={actionLengths.url}
            onChange={(value) => change(at, { url: value })}
          />
          {!readOnly && buttons.length > 1 && (
            <div className={styles.end}>
              <IconButton
                size="s"
                label={t('buttons.remove', { number: at + 1 })}
                icon={<Trash2 />}
                onClick={() => set({ buttons: buttons.filter((_, index) => index !== at) })}
              />
            </div>
          )}
        </fieldset>
      ))}
      {!readOnly && buttons.length < actionCounts.buttons && (
        <div>
          <Button size="s" icon={<Plus />} onClick={() => set({ buttons: [...buttons, { label: '', url: '' }] })}>
            {t('buttons.add')}
          </Button>
        </div>
      )}
    </>
  )
}
