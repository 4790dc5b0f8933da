import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Parameter, tryCall } from '../../api/publicApi'
import { formatNumber } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { CodeBlock } from '../../ui/CodeBlock'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { Segmented } from '../../ui/Segmented'
import { TextArea } from '../../ui/TextArea'
import { TextField } from '../../ui/TextField'
import styles from './apiReference.module.css'
import type { ShownOperation } from './ShownOperation'
import { exampleOf } from './schemas'
import { type Language, languages, snippetOf } from './snippets'

/** A form that makes an operation's call, the same as code, and what it was answered. */
export function TryIt({ method, path, operation, server, apiKey }: ShownOperation) {
  const { t } = useTranslation('apiReference')
  const { t: common } = useTranslation()
  const asked = (operation.parameters ?? []).filter((each) => each.in !== 'header')
  const { schema, example } = operation.requestBody?.content?.['application/json'] ?? {}
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() => firstValues(asked))
  const [body, setBody] = useState(() => (schema ? JSON.stringify(example ?? exampleOf(schema), null, 2) : ''))
  const [language, setLanguage] = useState<Language>('curl')
  const [isAsking, setAsking] = useState(false)
  const send = useMutation({ mutationFn: tryCall })
  const parsed = schema ? parse(body) : undefined
  const isFile = answersFile(operation)
  const problem = schema && parsed === undefined ? t('noJson') : undefined
  const missing = asked.find(({ name, required }) => required && !values[name])
  const target = pathWith(path, asked, values)
  const go = () => {
    setAsking(false)
    send.mutate({ method, path: target, key: apiKey, body: schema ? body : undefined })
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    // what changes something is asked about: this is the project itself
    if (method === 'get' || operation.operationId === 'searchKnowledge') go()
    else setAsking(true)
  }
  return (
    <>
      <form className={styles.try} onSubmit={submit} aria-label={t('try', { name: operation.summary })}>
        {asked.map(({ name, required, schema: { enum: options } }) => (
          <TextField
            key={name}
            label={name}
            required={required ?? false}
            placeholder={options?.join(', ')}
            value={values[name] ?? ''}
            onChange={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          />
        ))}
        {schema && (
          <TextArea
            label={t('body')}
            className={styles.json}
            autosize
            minRows={3}
            maxRows={16}
            spellCheck={false}
            error={problem}
            value={body}
            onChange={(event) => setBody(event.currentTarget.value)}
          />
        )}
        <div className={styles.send}>
          <Button
            type="submit"
            design="primary"
            loading={send.isPending}
            disabled={apiKey === '' || missing !== undefined || problem !== undefined}
          >
            {t('send')}
          </Button>
          {(apiKey === '' || missing) && (
            <p className={styles.none}>{apiKey === '' ? t('enterKey') : t('enterValue', { name: missing?.name })}</p>
          )}
        </div>
        {send.error && <p role="alert">{common('errors.message')}</p>}
        {send.data && (
          <div className={styles.answer} role="status">
            <p>
              <Badge tone={send.data.status < 300 ? 'success' : 'danger'}>{send.data.status}</Badge>{' '}
              {t('took', { ms: formatNumber(Math.round(send.data.ms)) })}
            </p>
            {send.data.text !== '' && <CodeBlock label={t('answerText')} code={send.data.text} />}
          </div>
        )}
        <Segmented
          label={t('code')}
          value={language}
          options={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
          onChange={setLanguage}
        />
        <CodeBlock
          label={t('code')}
          code={snippetOf(language, { method: method.toUpperCase(), url: server + target, body: parsed, isFile })}
        />
      </form>
      {/* outside: its form would send this one as well */}
      <ConfirmDialog
        opened={isAsking}
        danger={method === 'delete'}
        title={t('sure.title', { name: operation.summary })}
        message={t('sure.message')}
        confirm={t('send')}
        onConfirm={go}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

/** A value from a list for what is required. */
const firstValues = (parameters: readonly Parameter[]): Record<string, string> =>
  Object.fromEntries(
    parameters
      .filter(({ required, schema }) => required && schema.enum)
      .map(({ name, schema }) => [name, String(schema.enum?.[0])]),
  )

function pathWith(path: string, parameters: readonly Parameter[], values: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams()
  for (const each of parameters)
    if (each.in === 'query' && values[each.name]) query.set(each.name, values[each.name] ?? '')
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    values[name] ? encodeURIComponent(values[name]) : whole,
  )
  return query.size > 0 ? `${filled}?${query}` : filled
}

/** Whether what is answered when all goes well is a file, not JSON. */
const answersFile = ({ responses }: ShownOperation['operation']): boolean =>
  Object.entries(responses).some(
    ([status, { content }]) => status.startsWith('2') && content !== undefined && !('application/json' in content),
  )

/** undefined: it is no JSON */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
