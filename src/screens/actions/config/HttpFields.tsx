import { Plus, Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { actionCounts, actionLengths, actionMethods } from '../../../../engine/values/agentActions'
import { Button } from '../../../ui/Button'
import { IconButton } from '../../../ui/IconButton'
import { Select } from '../../../ui/Select'
import styles from '../actions.module.css'
import { Counted } from '../Counted'
import { useConfig, useDraft } from '../draft'

export function HttpFields() {
  const { t } = useTranslation('actions')
  const { readOnly } = useDraft()
  const { config, set } = useConfig('http-request')
  const { method, url, headers, body } = config
  const change = (at: number, part: Partial<(typeof headers)[number]>) =>
    set({ headers: headers.map((each, index) => (index === at ? { ...each, ...part } : each)) })
  return (
    <>
      <Select
        label={t('http.method')}
        data={[...actionMethods]}
        value={method}
        allowDeselect={false}
        disabled={readOnly}
        onChange={(value) => set({ method: actionMethods.find((each) => each === value) ?? 'GET' })}
      />
      <Counted
        label={t('http.url')}
        path="config.url"
        required
        mono
        value={url}
        max={actionLengths.url}
        placeholder="https://api.example.com/orders/{{number}}"
        onChange={(value) => set({ url: value })}
      />
      {headers.map(({ name, value, kept }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they have no other id
        <fieldset key={at} className={styles.parameter}>
          <legend>{t('http.header', { number: at + 1 })}</legend>
          <div className={styles.pair}>
            <Counted
              label={t('http.headerName')}
              path={`config.headers.${at}.name`}
              required
              mono
              value={name}
              max={actionLengths.header}
              onChange={(text) => change(at, { name: text })}
            />
            <Counted
              label={t('http.headerValue')}
              path={`config.headers.${at}.value`}
              mono
              value={value}
              placeholder={kept === undefined ? undefined : `••••••••${kept.replace('…', '')}`}
              hint={kept === undefined ? undefined : t('http.headerKept')}
              max={actionLengths.headerValue}
              onChange={(text) => change(at, { value: text })}
            />
          </div>
          {!readOnly && (
            <div className={styles.end}>
              <IconButton
                size="s"
                label={t('http.removeHeader', { number: at + 1 })}
                icon={<Trash2 />}
                onClick={() => set({ headers: headers.filter((_, index) => index !== at) })}
              />
            </div>
          )}
        </fieldset>
      ))}
      {!readOnly && headers.length < actionCounts.headers && (
        <div>
          <Button size="s" icon={<Plus />} onClick={() => set({ headers: [...headers, { name: '', value: '' }] })}>
            {t('http.addHeader')}
          </Button>
        </div>
      )}
      {(method !== 'GET' || body !== '') && (
        <Counted
          label={t('http.body')}
          path="config.body"
          mono
          rows={4}
          hint={method === 'GET' ? t('http.bodyUnused') : t('http.bodyHint')}
          value={body}
          max={actionLengths.jsonBody}
          onChange={(text) => set({ body: text })}
        />
      )}
    </>
  )
}
