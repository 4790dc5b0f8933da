/** @jsxImportSource preact */
import type { BotMessage } from '../types'
import { sentFileAddress } from './address'
import css from './attachments.module.css'
import { fileSize } from './fileSize'

/** What a visitor sent: pictures as they are, all else by name and size. */
export function SentFiles({ files }: Pick<Extract<BotMessage, { kind: 'files' }>, 'files'>) {
  return (
    <ul class={css.files}>
      {files.map((file) => {
        const address = sentFileAddress(file.url)
        if (address && file.type.startsWith('image/')) {
          return (
            <li key={file.url}>
              <a href={address} target="_blank" rel="noopener">
                <img class={css.thumbnail} src={address} alt={file.name} loading="lazy" />
              </a>
            </li>
          )
        }
        return (
          <li key={file.url}>
            <a class={css.file} href={address ?? undefined} target="_blank" rel="noopener">
              <span>{file.name}</span>
              <small>{fileSize(file.size)}</small>
            </a>
          </li>
        )
      })}
    </ul>
  )
}
