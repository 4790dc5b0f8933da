/** @jsxImportSource preact */
import type { BotMessage } from '../types'
import { sentFileAddress } from './address'
import css from './attachments.module.css'
import { fileSize } from './fileSize'

interface SentFilesProps {
  files: Extract<BotMessage, { kind: 'files' }>['files']
  /** a person of the team sent them, not the visitor */
  ofTeam: boolean
}

/** What a visitor or a person sent: pictures as they are, all else by name and size. */
export function SentFiles({ files, ofTeam }: SentFilesProps) {
  return (
    <ul class={ofTeam ? `${css.files} ${css.ofTeam}` : css.files}>
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
