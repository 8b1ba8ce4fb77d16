import { type LayoutRequest, layOut } from './layout.ts'

self.onmessage = ({ data }: MessageEvent<LayoutRequest>) => self.postMessage(layOut(data))
