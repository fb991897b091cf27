# -*- coding: utf-8 -*-
größe = 'ü🎉'


def länge(naïve='é'): return größe + naïve
