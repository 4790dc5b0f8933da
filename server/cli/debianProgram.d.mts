export function ensureProgram(
  name: 'chromium' | 'redis-server' | 'pebble' | 'tesseract-ocr' | 'ffuf' | 'sqlmap' | 'wapiti',
): void
