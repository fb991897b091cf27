import sys


def work():
    return 'work'


def main():
    print(work(), sys.argv)


if __name__ == '__main__':
    main()
